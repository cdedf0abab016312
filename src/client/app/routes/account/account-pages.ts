import { publication } from '#client/lib/publication.ts'
import { hasTab } from '#shared/domain/tabs.ts'

export type AccountPage = {
  to: string
  label: string
  /** Shown where the list is a page of its own. */
  about: string
}

export const teamPage = '/account/team'
export const assignmentsPage = '/portal/assignments'

/** Names the specification's questions, unless the publisher asks others. */
const aboutPreferences =
  Object.keys(publication.questions).length === 0
    ? 'Focus areas, AI level, trade and goals'
    : 'Your answers, for the order you see'

export const accountPages: readonly AccountPage[] = [
  { to: '/account/profile', label: 'Profile', about: 'Your email address and name' },
  ...(hasTab(publication, 'prompt-packs')
    ? [{ to: '/account/business', label: 'Business', about: 'Your stores, and what fills in prompts' }]
    : []),
  { to: '/account/preferences', label: 'Preferences', about: aboutPreferences },
  { to: '/account/email', label: 'Email', about: 'What we send you, and your feed' },
  { to: '/account/security', label: 'Security', about: 'Password, passkeys and devices' },
  { to: '/account/billing', label: 'Billing', about: 'Your plan, payments and receipts' },
  { to: '/account/data', label: 'Data', about: 'Download your data or delete your account' },
  // Last, because it appears once the team is loaded and must not move the others.
  { to: teamPage, label: 'Team', about: 'People, stores and open work' },
]

/** The member's own pages in the portal. */
export const portalPages: readonly AccountPage[] = [
  { to: '/portal/saved', label: 'Saved', about: 'What you keep, and your collections' },
  { to: '/portal/value', label: 'Your year', about: 'What you tried, and the time it saved' },
  // For teams only.
  { to: assignmentsPage, label: 'Assignments', about: 'What your team asks you to try' },
]
