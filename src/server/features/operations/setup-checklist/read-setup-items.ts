import { and, eq, isNotNull } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { sampleSender } from '#server/config/sample-sender.ts'
import type { Db } from '#server/db/database.ts'
import { contentDocument } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { listStaff } from '#server/features/identity/staff/list-staff.ts'
import { checkDepsOf } from '#server/features/publishing/newsletter/checks/check-deps.ts'
import { checkSender } from '#server/features/publishing/newsletter/checks/check-sender.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { SetupItem } from '#shared/contracts/operations/setup-checklist.ts'

type SetupDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>

/** Checks each item of the setup. DNS records are only looked up on request. */
export async function readSetupItems(deps: SetupDeps, { withDns }: { withDns: boolean }): Promise<SetupItem[]> {
  const { db } = deps.database
  const { pages } = deps.config.settings.publication
  const [sending, staff, hasDrop, dns] = await Promise.all([
    readSendingSettings(db),
    listStaff(deps),
    hasPublishedDrop(db),
    withDns ? dnsItem(deps) : [],
  ])
  const owners = staff.items.filter(({ role, status }) => role === 'owner' && status === 'active')
  const unprotected = owners.filter(({ hasSecondFactor }) => !hasSecondFactor).map(({ email }) => email)
  return [
    {
      key: 'postal-address',
      title: 'Postal address',
      detail: 'US law requires it in every newsletter. Enter it under Newsletter, Sending.',
      isDone: Boolean(sending.postalAddress),
      path: '/admin/newsletter/settings',
      variables: [],
    },
    {
      key: 'privacy',
      title: 'Privacy policy',
      detail: 'Say what you do with members’ data. The footer links to it.',
      isDone: pages.includes('privacy'),
      path: '/admin/settings/pages',
      variables: [],
    },
    {
      key: 'terms',
      title: 'Terms',
      detail: 'Say what members buy, and how they cancel. The footer links to them.',
      isDone: pages.includes('terms'),
      path: '/admin/settings/pages',
      variables: [],
    },
    {
      key: 'first-drop',
      title: 'First drop of your own',
      detail: 'The drops that came with the software are samples. Publish one that you wrote or edited.',
      isDone: hasDrop,
      path: '/admin/content/drops',
      variables: [],
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
      variables: [],
    },
    ...environmentItems(deps.config),
    ...dns,
  ]
}

async function hasPublishedDrop(db: Db): Promise<boolean> {
  const [row] = await db
    .select({ id: contentDocument.id })
    .from(contentDocument)
    .where(
      and(
        eq(contentDocument.kind, 'issue'),
        isNotNull(contentDocument.publishedVersion),
        eq(contentDocument.editedInAdmin, true),
      ),
    )
    .limit(1)
  return row !== undefined
}

const fromEnvironment = (
  key: string,
  title: string,
  detail: string,
  isDone: boolean,
  ...variables: string[]
): SetupItem => ({ key, title, detail, isDone, path: null, variables })

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
      title: 'DNS records of the sender',
      detail: problems.map(({ message }) => `${message}.`).join(' ') || 'SPF, DKIM and DMARC are in place.',
      isDone: problems.length === 0,
      path: null,
      variables: [],
    },
  ]
}
