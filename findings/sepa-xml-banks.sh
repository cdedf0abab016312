#!/usr/bin/env bash
# sepa-xml 0.6.0 names a Dutch bank for accounts elsewhere, and writes the spaces of an IBAN into the file.
#
# Its README says that the BIC can be found automatically and that the result is validated. The library looks up the four
# letters after the check digits in a list of Dutch banks, whatever the country: a Romanian account at INGB gets INGBNL2A,
# so file and account name two banks. Letters that banks of several countries share are usual, as the country is a part of
# its own in a BIC (ISO 9362) and an IBAN (ISO 13616). The README's own sender "NL39 RABO 0300 0652 64" is written with its
# spaces, which the type IBAN2007Identifier of pain.001.001.03 doesn't allow. No error is given.
#
# Seen on 2026-11-30, Node 24:
#   RO21 INGB …    <BIC>INGBNL2A</BIC>
#   GB27 ABNA …    <BIC>ABNANL2A</BIC>
#   IE04 RABO …    <BIC>RABONL2U</BIC>
#   sender         <IBAN>NL39 RABO 0300 0652 64</IBAN>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent sepa-xml@0.6.0 ibantools@4.5.4
cat >check.mjs <<'JS'
import { deepStrictEqual, ok } from 'node:assert'
import { isValidIBAN } from 'ibantools'
import SepaXML from 'sepa-xml'

const file = new SepaXML()
file.setHeaderInfo({ messageId: '1', initiator: 'A' })
file.setPaymentInfo({ id: '1', method: 'TRF', senderName: 'A', senderIBAN: 'NL39 RABO 0300 0652 64', bic: 'RABONL2U' })
for (const iban of ['RO21INGB0000999901234567', 'GB27ABNA20060512345678', 'IE04RABO93115212345678']) {
  ok(isValidIBAN(iban))
  file.addTransaction({ id: iban.slice(0, 8), amount: 9.5, name: 'B', iban, description: 'Dues' })
}
file.compile((error, xml) => {
  deepStrictEqual(error, null)
  const found = [...xml.matchAll(/<(?:IBAN|BIC)>(.*?)<\/(?:IBAN|BIC)>/g)].map(([, text]) => text)
  console.log(found)
  deepStrictEqual(found, [
    ...['NL39 RABO 0300 0652 64', 'RABONL2U'],
    ...['INGBNL2A', 'RO21INGB0000999901234567'],
    ...['ABNANL2A', 'GB27ABNA20060512345678'],
    ...['RABONL2U', 'IE04RABO93115212345678'],
  ])
})
JS
node check.mjs
echo 'unchanged: accounts elsewhere get a Dutch bank, and an IBAN keeps its spaces'
