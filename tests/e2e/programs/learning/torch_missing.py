# expect: failure
# error: ModuleNotFoundError
# told: ["torch", "sklearn"]
# without: torch
# cut
import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
print(net(torch.zeros(1, 2)))
