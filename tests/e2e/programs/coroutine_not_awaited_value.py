# expect: success
# final-like: ^<coroutine object main at 0x
# stderr-like: ^(.*was never awaited.*)?$


async def main():
    return 1


main()
