# expect: failure
# error: gaierror
# told: ["network"]
# cut
import smtplib
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
msg = MIMEMultipart(); msg["Subject"] = "Hi"; msg.attach(MIMEText("body", "plain"))
with smtplib.SMTP("smtp.gmail.com", 587) as s:
    s.starttls(); s.send_message(msg)
