import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { emailPreferences, users } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { confirmEmail } from '#server/features/identity/auth/email-flows/confirm-email.ts'
import { revokeUnverifiedAccess } from '#server/features/identity/auth/email-flows/unverified-access.ts'
import { tryDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { createUser } from '#server/features/identity/auth/users/create-user.ts'
import {
  readChoices,
  saveChoices,
  setFreeEdition,
} from '#server/features/publishing/email-preferences/stored-email-choices.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { freeConfirmationEmail } from '#server/mail/texts/free-edition-emails.ts'
import { AppError } from '#shared/errors.ts'

const purpose = 'free edition'
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

const payloadSchema = z.object({
  email: z.string(),
  issuedAt: z.coerce.date(),
  /** Id of the guide that they asked for with it. */
  guide: z.string().optional(),
})
/** Who asked for the free edition, and when. */
type FreeRequest = z.output<typeof payloadSchema>

const confirmationExpiry = ({ issuedAt }: FreeRequest): Date => new Date(issuedAt.getTime() + lifetimeMs)

/** Encrypted, so that a forwarded link doesn't show the address, and not stored. */
const writeConfirmationToken = (secrets: Pick<SecretBox, 'seal'>, request: FreeRequest): string =>
  secrets.seal(purpose, JSON.stringify(request))

/** Null for a token that is forged, damaged or expired. */
function readConfirmationToken(secrets: Pick<SecretBox, 'open'>, token: string, now: Date): FreeRequest | null {
  try {
    const request = payloadSchema.parse(JSON.parse(secrets.open(purpose, token)))
    return now < confirmationExpiry(request) ? request : null
  } catch {
    return null
  }
}

type RequestDeps = Pick<FeatureDeps, 'config' | 'database' | 'secrets' | 'enqueue' | 'clock'>
type ConfirmDeps = RequestDeps & Pick<FeatureDeps, 'onProfileReset' | 'onVisitorKnown'>

/**
 * Emails the link that starts the free edition, at most one per address and day. The same for known and unknown addresses,
 * so that no one learns who has an account.
 * @param address as `normalizeEmail` returns it
 * @param guide id of the guide that they get with it
 */
export async function requestFreeEdition(deps: RequestDeps, address: string, guide?: string): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    if (!(await tryDailyEmailLimit(tx, 'free_edition', address, now))) return
    const request = { email: address, issuedAt: now, ...(guide && { guide }) }
    const token = writeConfirmationToken(deps.secrets, request)
    const link = `${deps.config.publicUrl}/free/confirm?token=${token}`
    const email = freeConfirmationEmail({ to: address, config: deps.config, link })
    await deps.enqueue(tx, emailJob, { ...email, expiresAt: confirmationExpiry(request).toISOString() })
  })
}

/** The request that a link belongs to; null for a link that is forged, damaged or expired. */
export const readRequest = ({ secrets, clock }: Pick<RequestDeps, 'secrets' | 'clock'>, token: string) =>
  readConfirmationToken(secrets, token, clock())

export type Confirmed = {
  userId: string
  email: string
  /** True if the reader has access, and so gets every section instead of the free edition. */
  hasAccess: boolean
}

type Client = { ip: string | null; userAgent: string | null }

/**
 * Starts the free edition, with a new account if the address has none. A second click changes nothing, and a link from
 * before the reader unsubscribed doesn't subscribe them again.
 */
export async function confirmFreeEdition(deps: ConfirmDeps, request: FreeRequest, client: Client): Promise<Confirmed> {
  const start = () => deps.database.db.transaction((tx) => startFreeEdition(tx, deps, request, client))
  // A double click confirms twice at once, and only one of the two can create the account.
  const confirmed = await start().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'user_already_exists') return start()
    throw error
  })
  await deps.onVisitorKnown(confirmed.userId, client)
  return confirmed
}

async function startFreeEdition(
  tx: Tx,
  deps: ConfirmDeps,
  { email, issuedAt }: FreeRequest,
  client: Client,
): Promise<Confirmed> {
  const now = deps.clock()
  const userId = await findOrCreateReader(tx, deps, email, client, now)
  const [stored] = await tx
    .select({ unsubscribedAt: emailPreferences.unsubscribedAt })
    .from(emailPreferences)
    .where(eq(emailPreferences.userId, userId))
  const isReplay = stored?.unsubscribedAt != null && stored.unsubscribedAt > issuedAt
  if (!isReplay) {
    // Readers who chose one email a month keep it.
    const { drops } = await readChoices(tx, userId)
    await saveChoices(tx, userId, { drops: drops === 'off' ? 'weekly' : drops }, now)
    await setFreeEdition(tx, userId, now)
  }
  return { userId, email, hasAccess: hasAccess(deps.config, await readAccessFacts(tx, userId), now) }
}

/** Id of whoever confirmed the address; null if the account is gone. */
export async function findReader(db: Db, email: string): Promise<string | null> {
  const isReader = and(eq(users.email, email), isNull(users.deletedAt), isNotNull(users.emailConfirmedAt))
  const [reader] = await db.select({ id: users.id }).from(users).where(isReader)
  return reader?.id ?? null
}

async function findOrCreateReader(
  tx: Tx,
  deps: ConfirmDeps,
  email: string,
  client: Client,
  now: Date,
): Promise<string> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
    .for('update')
  if (!user) return (await createUser(tx, deps, { email, passwordHash: null, confirmedAt: now, now })).id
  if (!user.emailConfirmedAt) {
    // Whoever signed up with the address before may not own it.
    if (!user.createdByAdmin) {
      const revocation = { user, email, resetsProfile: true, credentials: null, flowId: null, client, now }
      await revokeUnverifiedAccess(tx, deps, revocation)
    }
    await confirmEmail(tx, { userId: user.id, email, now })
  }
  return user.id
}
