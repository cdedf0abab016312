const gmail = 'gmail.com'
/** Domains of one and the same mailbox. */
const aliases: Readonly<Record<string, string>> = { 'googlemail.com': gmail }

/**
 * The mailbox that an address leads to, for telling whether two are one person's: in lower case, without what follows a
 * "+", and for Gmail without dots and under one domain. Never an address to write to.
 */
export function normalizeMailbox(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  const domain = aliases[address.slice(at + 1)] ?? address.slice(at + 1)
  const tag = address.indexOf('+')
  // An address that begins with the plus has no other name.
  const name = address.slice(0, tag > 0 && tag < at ? tag : at)
  return `${(domain === gmail && name.replaceAll('.', '')) || name}@${domain}`
}
