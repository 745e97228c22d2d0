# expect: success
# stderr: "webbrowser: there is no browser here to open https://example.org\n"
# final: false
import webbrowser
webbrowser.open("https://example.org")
