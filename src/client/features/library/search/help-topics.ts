import { searchWords } from '#shared/domain/search-words.ts'

export type HelpTopic = { title: string; place: string; path: string; words: string }

const topic = (title: string, place: string, path: string, words: string): HelpTopic => ({ title, place, path, words })

/** Pages and settings that owners look for. `words` are other words for what the title says. */
const helpTopics: readonly HelpTopic[] = [
  topic('Cancel your plan', 'Billing', '/account/billing', 'canceling cancellation stop end subscription membership'),
  topic('Switch plan', 'Billing', '/account/billing', 'change upgrade downgrade subscription monthly yearly annual'),
  topic('Payment method', 'Billing', '/account/billing', 'update change credit card pay payments'),
  topic('Invoices', 'Billing', '/account/billing', 'receipts charged charge refund billing'),
  topic('Change your email address', 'Profile', '/account/profile', 'update new'),
  topic('Change your name', 'Profile', '/account/profile', 'update'),
  topic('Emails you receive', 'Email', '/account/email', 'unsubscribe newsletter notifications stop pause reminders'),
  topic('Change your password', 'Security', '/account/security', 'forgot reset update login'),
  topic('Two-step verification', 'Security', '/account/security', '2fa mfa two factor authenticator app backup codes'),
  topic('Passkeys', 'Security', '/account/security', 'passkey fingerprint face'),
  topic('Where you’re signed in', 'Security', '/account/security', 'sign out devices sessions log logout'),
  topic('Business profile', 'Business', '/account/business', 'locations stores brand'),
  topic('Preferences', 'Preferences', '/account/preferences', 'trade focus topics ai level settings'),
  topic('Your team', 'Team', '/account/team', 'invite add remove people member seats staff account'),
  topic('Connected assistants', 'Assistants', '/account/assistants', 'ai chatgpt claude copilot gemini mcp disconnect'),
  topic('Download your data', 'Data', '/account/data', 'export copy'),
  topic('Delete your account', 'Data', '/account/data', 'remove close erase'),
]

/** Words of a question that don't say what it is about. */
const fillers = new Set(
  'a an and are can could do does for get how i in is it me my of on our please the this to want was we what where your you'.split(
    ' ',
  ),
)
const maxTopics = 3
/** A shorter word, still being typed, would match nearly everything. */
const minPrefixLength = 3

/** Topics that cover every word of the query that matters, those with more of them in the title first. */
export function findHelpTopics(query: string): HelpTopic[] {
  const words = searchWords(query).filter((word) => !fillers.has(word))
  if (words.length === 0) return []
  const has = (text: string) => {
    const known = searchWords(text)
    return (word: string) =>
      known.some((each) => each === word || (word.length >= minPrefixLength && each.startsWith(word)))
  }
  return helpTopics
    .map((each) => ({
      topic: each,
      isCovered: words.every(has(`${each.title} ${each.place} ${each.words}`)),
      inTitle: words.filter(has(each.title)).length,
    }))
    .filter(({ isCovered }) => isCovered)
    .sort((a, b) => b.inTitle - a.inTitle)
    .slice(0, maxTopics)
    .map(({ topic: found }) => found)
}
