# expect: success
# stdout: "one\n"
# stderr-has: "`apt-get install -y cowsay` was not run"
# files-out: {"d/x": ""}
# cut
%%bash
# a comment
echo one
mkdir -p d && touch d/x
apt-get install -y cowsay
