import { eq } from 'drizzle-orm'
import { deliveries, emailPreferences, mailings, suppressions } from '#server/db/schema/index.ts'
import {
  createEmailLinks,
  type EmailLinks,
  type EmailRecipient,
} from '#server/features/publishing/email-preferences/email-links.ts'
import { everyone, type MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

type MailingOptions = { kind?: MailingKind; subject?: string; tracked?: boolean; newsletterId?: number | null }

export async function buildMailing(
  server: TestApp,
  { kind = 'issue', subject, tracked = false, newsletterId = null }: MailingOptions = {},
) {
  const id = crypto.randomUUID()
  const now = server.clock.now
  await server.database.db.insert(mailings).values({
    id,
    kind,
    subject: subject ?? 'Three replies that win back a guest',
    preheader: '',
    status: 'sending',
    audience: { ...everyone, newsletterId },
    tracked,
    createdAt: now,
    updatedAt: now,
  })
  return id
}

export type Delivered = { deliveryId: string; mailingId: string; links: EmailLinks; to: EmailRecipient }

/** Creates a sent delivery to a user and returns it with its links. */
export async function deliver(
  server: TestApp,
  user: Pick<TestUser, 'id' | 'email'>,
  options: MailingOptions & { mailingId?: string; allowsTracking?: boolean } = {},
): Promise<Delivered> {
  const mailingId = options.mailingId ?? (await buildMailing(server, options))
  const [row] = await server.database.db
    .insert(deliveries)
    .values({
      mailingId,
      userId: user.id,
      email: user.email,
      domain: user.email.split('@')[1] ?? '',
      reader: '[]',
      status: 'submitted',
      changedAt: server.clock.now,
    })
    .returning({ id: deliveries.id })
  const deliveryId = String(row?.id)
  const { kind = 'issue', tracked, newsletterId } = options
  const links = createEmailLinks(server.deps, { kind, tracked, newsletterId })
  return { deliveryId, mailingId, links, to: { deliveryId, userId: user.id, allowsTracking: options.allowsTracking } }
}

export const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '')

export async function choicesOf(server: TestApp, userId: string) {
  const [row] = await server.database.db
    .select({
      drops: emailPreferences.drops,
      news: emailPreferences.news,
      followUps: emailPreferences.followUps,
      assignments: emailPreferences.assignments,
      replies: emailPreferences.replies,
      allowsTracking: emailPreferences.allowsTracking,
    })
    .from(emailPreferences)
    .where(eq(emailPreferences.userId, userId))
  return row ?? null
}

export const suppress = (server: TestApp, email: string, stream: string, reason: string) =>
  server.database.db.insert(suppressions).values({ email, stream, reason, createdAt: server.clock.now })
