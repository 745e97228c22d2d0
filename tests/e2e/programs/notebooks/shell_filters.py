# Commands that read lines or pack files, in Python; the environment's names.
# expect: success
# files-in: {"s.csv": "id,town,n\n1,Rome,10\n2,Oslo,9\n3,Rome,2\n",
#     "sub/t.py": "import os\nprint(1)\n"}
# stdout: "Home is /home/user and $HOME, hi
#     you\n2\n1:id,town,n\n2,Oslo,9\ns.csv\ns.csv:4\nsub/t.py:1\nsub/t.py:import
#     os\n      1 Oslo\n      2 Rome\n2\n9\n10\n10,9,2\n1
#     2\n/home/user\n./sub/t.py\nsub\nsub/t.py\nimport
#     os\n       19  sub/t.py\npandas\nid,town,n\na 2>b
#     >c\ntown            str             'Rome'\n"
# stderr: "`sed -i s/a/b/ s.csv` was not run: programs cannot be started here:
#     use re.\n`wget https://x.example/a` was not run: programs cannot be started
#     here, and there is no network.\n`grep --color a s.csv` was not run:
#     programs cannot be started here: use re.\nunzip: s.csv is no ZIP file\n"
# files-kinds: {}
# cut
!echo "Home is $HOME and" '$HOME', hi ${WHO}you
town = "Rome"
!grep -c {town} s.csv
!grep -in TOWN s.csv
!grep 'Oslo\|Paris' s.csv
!grep -l Rome *.csv
!grep -c "o" s.csv sub/t.py
!grep -r import sub
!tail -n +2 s.csv | cut -d, -f2 | sort | uniq -c
!tail -n +2 s.csv | cut -d , -f 3 | sort -n
numbers = !sort -t, -k3 -nr s.csv | head -n 3 | cut -d, -f3
print(",".join(numbers))
!cat -n s.csv | grep Oslo | wc -lw | cat
!printenv HOME
!find . -name "*.py" -type f
!tar czf sub.tgz sub && tar -tf sub.tgz
!rm -r sub && tar xf sub.tgz && head -1 sub/t.py
!zip -qr sub.zip sub && unzip -l sub.zip | grep py
!rm sub.zip sub.tgz
!pip install -q numpy >/dev/null 2>&1
!pip install -q pandas 2>/dev/null | cut -d' ' -f1
!grep -h town s.csv >>got.txt 2>err.txt && echo "a 2>b" '>c' >> got.txt
!cat got.txt &>/dev/null
!cat got.txt && rm got.txt
!sed -i s/a/b/ s.csv
!wget https://x.example/a
!grep --color a s.csv
!unzip s.csv
%whos str
