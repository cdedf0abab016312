import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { sampleSender } from '#server/config/mail.ts'
import { type Db, queryRows } from '#server/db/database.ts'
import { contentDocument, importedPosts, memberImports, series } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { listStaff } from '#server/features/identity/staff/list-staff.ts'
import { checkDepsOf } from '#server/features/publishing/mailings/checks/check-mailing.ts'
import { checkSender } from '#server/features/publishing/mailings/checks/check-sender.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readSettings, textsWithoutSamples } from '#server/features/publishing/site-settings/setting-store.ts'
import type { SetupItem } from '#shared/contracts/operations/setup-checklist.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'

type SetupDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>

/** Checks each item of the setup. DNS records are only looked up on request. */
export async function readSetupItems(deps: SetupDeps, { withDns }: { withDns: boolean }): Promise<SetupItem[]> {
  const { db } = deps.database
  const { publication } = deps.config.settings
  const { pages } = publication
  const [sending, staff, own, dns] = await Promise.all([
    readSendingSettings(db),
    listStaff(deps),
    readOwnParts(db),
    withDns ? dnsItem(deps) : [],
  ])
  const { values } = await readSettings(db, 'publication')
  const owners = staff.items.filter(({ role, status }) => role === 'owner' && status === 'active')
  const unprotected = owners.filter(({ hasSecondFactor }) => !hasSecondFactor).map(({ email }) => email)
  const publisherItems: Omit<SetupItem, 'part' | 'variables'>[] = [
    {
      key: 'look',
      title: 'Name and look',
      detail: 'Its name, tagline, logo and color, on every page and in every email.',
      isDone: publication.name !== publicationDefaults.name,
      path: '/admin/settings/publication',
    },
    {
      key: 'plans',
      title: 'Plans',
      detail: 'What members pay, and how often. The plans that are there are examples.',
      isDone: !isDeepStrictEqual(publication.plans.map(saleTerms), publicationDefaults.plans.map(saleTerms)),
      path: '/admin/money/plans',
    },
    {
      key: 'questions',
      title: 'Questions at sign-up',
      detail: 'The answers decide what each reader sees first. Change their words to yours.',
      isDone: Object.keys(publication.questions).length > 0,
      path: '/admin/settings/fields',
    },
    {
      key: 'import',
      title: 'Posts and members from elsewhere',
      detail:
        'Files of Ghost, Substack, beehiiv or your own lists. If you start from nothing, your first drop settles it.',
      isDone: own.hasImport || own.hasDrop,
      path: '/admin/content/import',
    },
    {
      key: 'landing',
      title: 'Landing page',
      detail: 'What visitors read before they join: the headline, the offerings, questions and answers.',
      isDone: Object.entries(values).some(
        ([name, text]) => name.startsWith('landing.') && text !== textsWithoutSamples.publication?.[name],
      ),
      path: '/admin/settings/publication',
    },
    {
      key: 'welcome-series',
      title: 'Welcome series',
      detail: 'Emails that new members get in their first days, written once.',
      isDone: own.hasSeries,
      path: '/admin/newsletter/series',
    },
    {
      key: 'first-drop',
      title: 'First drop of your own',
      detail: 'The drops that came with the software are samples. Publish one that you wrote or edited.',
      isDone: own.hasDrop,
      path: '/admin/content/drops',
    },
    {
      key: 'privacy',
      title: 'Privacy policy',
      detail: 'Say what you do with members’ data. The footer links to it.',
      isDone: pages.includes('privacy'),
      path: '/admin/settings/pages',
    },
    {
      key: 'terms',
      title: 'Terms',
      detail: 'Say what members buy, and how they cancel. The footer links to them.',
      isDone: pages.includes('terms'),
      path: '/admin/settings/pages',
    },
    {
      key: 'postal-address',
      title: 'Postal address',
      detail: 'US law requires it in every newsletter. Enter it under Newsletter, Sending.',
      isDone: Boolean(sending.postalAddress),
      path: '/admin/newsletter/settings',
    },
    {
      key: 'second-factor',
      title: 'Two-step verification for every owner',
      detail:
        unprotected.length > 0
          ? `Still without it: ${unprotected.join(', ')}. Owners set it up under Account, Security.`
          : 'Every owner signs in with a second factor or a passkey.',
      isDone: unprotected.length === 0,
      path: '/admin/settings/staff',
    },
  ]
  return [
    ...publisherItems.map((item): SetupItem => ({ ...item, part: 'publication', variables: [] })),
    ...environmentItems(deps.config),
    ...dns,
  ]
}

const saleTerms = ({ name, priceCents, currency, interval, intervalCount = 1, isRetired }: PlanTerms) => ({
  ...{ name, priceCents, currency, interval, intervalCount, isRetired },
})

/** What isn't a sample: a drop, an import and a series of the publisher. */
async function readOwnParts(db: Db) {
  const [row] = await queryRows<{ hasDrop: boolean; hasImport: boolean; hasSeries: boolean }>(
    db,
    sql`select
      exists (select 1 from ${contentDocument} where kind = 'issue' and published_version is not null and edited_in_admin) as "hasDrop",
      exists (select 1 from ${importedPosts}) or exists (select 1 from ${memberImports} where finished_at is not null) as "hasImport",
      exists (select 1 from ${series} where status = 'on') as "hasSeries"`,
  )
  return row ?? { hasDrop: false, hasImport: false, hasSeries: false }
}

const fromEnvironment = (
  key: string,
  title: string,
  detail: string,
  isDone: boolean,
  ...variables: string[]
): SetupItem => ({ key, part: 'server', title, detail, isDone, path: null, variables })

function environmentItems({ mode, publicUrl, stripe, mail, backup }: Config): SetupItem[] {
  const isPublic = publicUrl.startsWith('https://')
  return [
    fromEnvironment(
      'production',
      'Production mode',
      'In the sandbox, payments and emails are simulated.',
      mode === 'production',
      'NODE_ENV',
    ),
    fromEnvironment(
      'public-url',
      'Public address',
      isPublic ? `Links lead to ${publicUrl}.` : 'Links in emails need the address of your site, starting with https.',
      isPublic,
      'PUBLIC_URL',
    ),
    fromEnvironment(
      'stripe',
      'Stripe',
      'Members pay through your Stripe account.',
      stripe.kind === 'live',
      'STRIPE_SECRET_KEY',
    ),
    fromEnvironment(
      'stripe-webhook',
      'Stripe webhook',
      'Stripe reports payments to your server.',
      stripe.kind === 'live' && stripe.webhookSecrets.length > 0,
      'STRIPE_WEBHOOK_SECRET',
    ),
    fromEnvironment('smtp', 'Mail server', 'Emails go out through it.', mail.kind === 'smtp', 'SMTP_URL'),
    fromEnvironment(
      'sender',
      'Sender address',
      `Emails come from ${mail.from}.`,
      mail.from !== sampleSender.address,
      'MAIL_FROM',
    ),
    fromEnvironment(
      'dkim',
      'DKIM signature',
      'Without it, many emails end up in spam folders.',
      mail.kind === 'smtp' && mail.dkim !== null,
      'DKIM_PRIVATE_KEY',
      'DKIM_SELECTOR',
    ),
    fromEnvironment(
      'backups',
      'Daily backups',
      'Encrypted copies of everything, kept outside the database.',
      backup.isScheduled && backup.key !== null,
      'BACKUP_DESTINATION',
      'BACKUP_KEY',
    ),
  ]
}

/** The sender's SPF, DKIM and DMARC records, once there is a mail server. */
async function dnsItem(deps: SetupDeps): Promise<SetupItem[]> {
  const { sender } = await checkDepsOf(deps)
  if (!sender) return []
  const problems = await checkSender(sender)
  return [
    {
      key: 'dns',
      part: 'server',
      title: 'DNS records of the sender',
      detail: problems.map(({ message }) => `${message}.`).join(' ') || 'SPF, DKIM and DMARC are in place.',
      isDone: problems.length === 0,
      path: null,
      variables: [],
    },
  ]
}
