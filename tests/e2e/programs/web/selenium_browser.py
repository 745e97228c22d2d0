# expect: failure
# error: ModuleNotFoundError
# told: "selenium"
# without: selenium
# cut
from selenium import webdriver

driver = webdriver.Chrome()
driver.get("https://example.com")
print(driver.title)
