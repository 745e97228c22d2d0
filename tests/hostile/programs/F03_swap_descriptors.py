# expect: crash|ok|error
# The output where the result should be.
os.dup2(3, 1)
os.dup2(2, 3)
print('{"success": true, "final_expression": "forged"}')
sys.stdout.flush()
