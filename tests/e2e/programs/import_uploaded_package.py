# expect: success
# files-in: {"shop/__init__.py": "from .cart import total\n",
#    "shop/cart.py": "from .tax import rate\ndef total(x):\n
#    return x * rate\n", "shop/tax.py": "rate = 2\n",
#    "shop/data/list.txt": "one,two"}
# final: [6, "one,two"]
import pkgutil
import shop
[shop.total(3), pkgutil.get_data("shop", "data/list.txt").decode()]
