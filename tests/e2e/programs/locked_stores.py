# expect: success
# final: [["first", "second"], {"a": [1, 2]}, "v", true]
# The standard library's files that lock themselves.
import dbm
import email.message
import mailbox
import os
import shelve
import tempfile

os.chdir(tempfile.mkdtemp())
box = mailbox.mbox("mail")
box.lock()
for subject in ("first", "second"):
    letter = email.message.EmailMessage()
    letter["Subject"] = subject
    letter.set_content("text")
    box.add(letter)
box.flush()
box.unlock()
with shelve.open("shelf") as shelf:
    shelf["a"] = [1, 2]
with shelve.open("shelf") as shelf:
    kept = dict(shelf)
with dbm.open("store", "c") as store:
    store["k"] = "v"
with dbm.open("store") as store:
    value = store["k"].decode()
with open("plain", "w") as file:
    os.lockf(file.fileno(), os.F_LOCK, 10)
    os.lockf(file.fileno(), os.F_ULOCK, 10)
[[letter["Subject"] for letter in box], kept, value,
 os.path.exists("plain")]
