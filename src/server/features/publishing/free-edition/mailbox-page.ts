/** Where people read email at large providers, by domain. */
const pages: readonly [name: string, address: string, domains: readonly string[]][] = [
  ['Gmail', 'https://mail.google.com/mail/u/0/', ['gmail.com', 'googlemail.com']],
  ['Outlook', 'https://outlook.live.com/mail/', ['outlook.com', 'hotmail.com', 'live.com', 'msn.com']],
  ['Yahoo Mail', 'https://mail.yahoo.com/', ['yahoo.com', 'ymail.com', 'rocketmail.com']],
  ['iCloud Mail', 'https://www.icloud.com/mail/', ['icloud.com', 'me.com', 'mac.com']],
  ['AOL Mail', 'https://mail.aol.com/', ['aol.com']],
  ['Proton Mail', 'https://mail.proton.me/', ['proton.me', 'protonmail.com', 'pm.me']],
  ['Fastmail', 'https://app.fastmail.com/', ['fastmail.com', 'fastmail.fm']],
  ['Zoho Mail', 'https://mail.zoho.com/', ['zoho.com', 'zohomail.com']],
]

/** The page where the owner of an address reads email; null if the provider isn't known. */
export function mailboxPage(email: string): { name: string; address: string } | null {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const [name, address] = pages.find(([, , domains]) => domains.includes(domain)) ?? []
  return name && address ? { name, address } : null
}
