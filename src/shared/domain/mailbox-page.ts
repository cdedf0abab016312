type Provider = {
  name: string
  domains: readonly string[]
  /** A search for the sender, whose address is URL-encoded already; the inbox where no search URL is known. */
  page: (sender: string) => string
}

/** Large email providers. Searches include all folders, because our email may be in the spam folder. */
const providers: readonly Provider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    page: (sender) => `https://mail.google.com/mail/u/0/#search/from%3A${sender}+in%3Aanywhere`,
  },
  {
    name: 'Outlook',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    page: () => 'https://outlook.live.com/mail/',
  },
  {
    name: 'Yahoo Mail',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'],
    page: (sender) => `https://mail.yahoo.com/d/search/keyword=from%253A${sender}`,
  },
  { name: 'iCloud Mail', domains: ['icloud.com', 'me.com', 'mac.com'], page: () => 'https://www.icloud.com/mail/' },
  { name: 'AOL Mail', domains: ['aol.com'], page: () => 'https://mail.aol.com/' },
  {
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    page: (sender) => `https://mail.proton.me/u/0/all-mail#from=${sender}`,
  },
  { name: 'Fastmail', domains: ['fastmail.com', 'fastmail.fm'], page: () => 'https://app.fastmail.com/' },
  { name: 'Zoho Mail', domains: ['zoho.com', 'zohomail.com'], page: () => 'https://mail.zoho.com/' },
]

/**
 * The page where the owner of `email` finds emails from `sender`; null for unknown providers. Its URL says nothing about
 * the owner.
 */
export function mailboxPage(email: string, sender: string): { name: string; address: string } | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const provider = providers.find(({ domains }) => domains.includes(domain))
  return provider ? { name: provider.name, address: provider.page(encodeURIComponent(sender)) } : null
}
