#!/usr/bin/env bash
# zugferd-generator 1.2.1 leaves the quantities, and often the countries, out of the invoice, and writes dates in another form
# than it announces.
#
# Its README promises ZUGFeRD-compliant invoices and gives this one as an example, plus the required totalAmount. A ZUGFeRD
# invoice has a billed quantity in each line (EN 16931, BT-129) and a country of both parties (BT-40, BT-55). The library
# requires them and drops them: the country is written only beside a street, city or postal code. format="102" means
# CCYYMMDD (UN/CEFACT 2379), and it holds "2024-01-01". A line with 3 pieces at 100 says 100 and 300, and not why.
#
# Seen on 2026-11-30, Node 24:
#   quantity 3, unit price 100     ChargeAmount 100.00, LineTotalAmount 300.00, no BilledQuantity
#   country: 'DE' of both          no CountryID
#   issueDate: '2024-01-01'        <udt:DateTimeString format="102">2024-01-01</udt:DateTimeString>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent zugferd-generator@1.2.1
cat >check.mjs <<'JS'
import { ok } from 'node:assert'
import ZUGFeRDGenerator from 'zugferd-generator'

const xml = new ZUGFeRDGenerator({
  ...{ id: 'A-1', issueDate: '2024-01-01', currency: 'EUR', totalAmount: 357 },
  supplier: { name: 'A', country: 'DE' },
  customer: { name: 'B', country: 'DE' },
  taxTotal: { taxAmount: 57, taxPercentage: 19 },
  lineItems: [{ id: '1', description: 'Hour', quantity: 3, unitPrice: 100, lineTotal: 300 }],
}).toXMLString()
console.log(xml)
ok(xml.includes('>100.00</ram:ChargeAmount>') && xml.includes('>300.00</ram:LineTotalAmount>'))
ok(!/Quantity/.test(xml) && !/>3(\.0*)?</.test(xml))
ok(!/CountryID|>DE</.test(xml))
ok(xml.includes('<udt:DateTimeString format="102">2024-01-01</udt:DateTimeString>'))
JS
node check.mjs
echo 'unchanged: no quantity, no country, and a date with hyphens'
