# expect: success
# needs: pandas
# files-in: {"sales.csv": "Date,Region,Product, Units ,Price\n2024-01-03,north,Widget,10,\"$2.50\"\n2024-01-05,North ,Widget,,\"$2.50\"\n2024-02-10,SOUTH,Gadget,7,\"$1,200.00\"\n2024-02-10,SOUTH,Gadget,7,\"$1,200.00\"\n03/15/2024,east,Gizmo,3,n/a\n"}
# stdout: "Rows after cleaning: 4\nMissing values: 0\nEast: $1,205.00\nNorth: $42.50\nSouth: $8,400.00\n"
# files-kinds: {"sales_clean.csv": "text"}
# cut
import pandas as pd
import numpy as np

# Load the uploaded file
df = pd.read_csv('/mnt/data/sales.csv')

# Clean the column names
df.columns = df.columns.str.strip().str.lower().str.replace(' ', '_')

# Remove duplicates and fix the types
df = df.drop_duplicates()
df['region'] = df['region'].str.strip().str.title()
df['price'] = pd.to_numeric(
    df['price'].str.replace('[$,]', '', regex=True), errors='coerce')
df['units'] = df['units'].fillna(df['units'].median()).astype(int)
df['price'] = df['price'].fillna(df['price'].mean())
df['revenue'] = df['units'] * df['price']

df.to_csv('/mnt/data/sales_clean.csv', index=False)
print(f"Rows after cleaning: {len(df)}")
print("Missing values:", int(df.isna().sum().sum()))
for region, total in df.groupby('region')['revenue'].sum().items():
    print(f"{region}: ${total:,.2f}")
