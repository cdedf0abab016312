import { escapeText, fold } from '#server/features/reader/deadlines/write-calendar.ts'

/** A contact file of the sender, vCard 3.0 (RFC 2426), which iOS, Android and desktop programs read alike. */
export const contactCard = ({ name, address, url }: { name: string; address: string; url: string }): string =>
  [
    ...['BEGIN:VCARD', 'VERSION:3.0', 'N:;;;;', `FN:${escapeText(name)}`, `ORG:${escapeText(name)}`],
    // Apple's contacts show a card without a person's name as a company.
    ...['X-ABShowAs:COMPANY', `EMAIL;TYPE=INTERNET:${escapeText(address)}`, `URL:${url}`, 'END:VCARD'],
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('')
