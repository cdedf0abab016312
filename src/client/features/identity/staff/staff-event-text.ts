import { ownWords } from '#client/lib/publication.ts'
import { readableInstants } from '#client/lib/readable-instants.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'

type ObjectText = { one: string; href?: (id: string) => string }

/** Name and link of each kind of object in the log. */
export const auditObjects: Record<AuditObject['kind'], ObjectText> = {
  issue: { one: ownWords`Drop`, href: (id) => `/admin/content/drops/${id}` },
  'prompt-pack': { one: 'Prompt pack', href: (id) => `/admin/content/prompt-packs/${id}` },
  guide: { one: 'Guide', href: (id) => `/admin/content/guides/${id}` },
  tool: { one: 'Tool', href: (id) => `/admin/content/tools/${id}` },
  block: { one: 'Block' },
  page: { one: 'Page', href: (id) => `/admin/settings/pages/${id}` },
  image: { one: 'Image' },
  file: { one: 'File' },
  mailing: { one: 'Mailing', href: (id) => `/admin/newsletter/${id}` },
  'member-view': { one: 'View', href: () => '/admin/members' },
  series: { one: 'Series', href: (id) => `/admin/newsletter/series/${id}` },
  newsletter: { one: 'Newsletter', href: () => '/admin/newsletter/newsletters' },
  segment: { one: 'Segment', href: () => '/admin/newsletter/segments' },
  invoice: { one: 'Invoice' },
  'api-key': { one: 'API key', href: () => '/admin/settings/api' },
  webhook: { one: 'Webhook', href: () => '/admin/settings/api' },
  plan: { one: 'Plan', href: () => '/admin/money/plans' },
  'custom-field': { one: 'Field', href: () => '/admin/settings/fields' },
  question: { one: 'Question', href: () => '/admin/settings/fields' },
  offer: { one: 'Offer', href: () => '/admin/money/offers' },
  gift: { one: 'Gift', href: () => '/admin/money/gifts' },
  'gift-link': { one: 'Gift link', href: () => '/admin/money/gifts' },
}

const fieldLabels: Readonly<Record<string, string>> = {
  version: 'Version',
  scheduledAt: 'Scheduled for',
  publishAt: 'Publishes',
  timeZone: 'Time zone',
  lastDay: 'Last day',
  signInLimits: 'Sign-in limits in effect',
  formerSecretUntil: 'Former secret signs until',
  newCustomersOnly: 'New customers only',
  tracking: 'Count opens and clicks',
  readerHours: ownWords`Drops at readers’ own hours`,
  digest: 'Monthly digest',
  replyTo: 'Reply-To',
  senderName: 'Sender’s name',
  senderAddress: 'Sender’s address',
  newMembers: 'Members who join',
  postalAddress: 'Postal address',
  'limits.perSecond': 'Emails per second',
  'limits.perHour': 'Emails per hour',
  'limits.warmUp.startedOn': 'Warm-up start date',
  'limits.warmUp.firstDay': 'Warm-up emails on the first day',
  'limits.warmUp.growth': 'Warm-up growth per day',
  'limits.warmUp.end': 'Warm-up emails on the last day',
  'prompt-pack': 'Prompt packs',
  guide: 'Guides',
  tool: 'Tools',
  editorName: 'Editor',
  editorBio: 'About the editor',
  contactEmail: 'Contact address',
}
const domainLimit = 'limits.perDomainHour.'

/** Names of fields in older entries. */
const renamedFields: Readonly<Record<string, string>> = {
  time_zone: 'timeZone',
  reply_to: 'replyTo',
  postal_address: 'postalAddress',
}
const currentName = (field: string): string => renamedFields[field] ?? field.replace(/^pace\./, 'limits.')

function fieldText(stored: string): string {
  const field = currentName(stored)
  if (field.startsWith(domainLimit)) return `Emails per hour to ${field.slice(domainLimit.length)}`
  const plain = field.replaceAll('_', ' ')
  return fieldLabels[field] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}

const booleanTexts: Readonly<Record<string, string>> = { true: 'on', false: 'off' }

const valueText = (value: string | null): string => {
  if (value === null) return 'none'
  return booleanTexts[value] ?? readableInstants(value.replaceAll('\n', ', '))
}

/** "Time zone: America/New_York → Europe/Paris", "Emails per hour: 500". */
export function changeText({ field, before, after }: StaffLogPage['items'][number]['changes'][number]): string {
  return before === null
    ? `${fieldText(field)}: ${valueText(after)}`
    : `${fieldText(field)}: ${valueText(before)} → ${valueText(after)}`
}
