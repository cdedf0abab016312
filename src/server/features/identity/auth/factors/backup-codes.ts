import { randomBytes } from 'node:crypto'
import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Tx } from '#server/db/database.ts'
import { backupCodes } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { failedMfaCodes } from '../limits/failed-mfa-codes.ts'
import { notifySecurityChange, recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { answerSignIn } from '../sessions/session-response.ts'
import { backupCodeMethod, hasVerifiedFactor, upgradeSession } from '../sessions/upgrade-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { requireConfirmedEmail } from '../users/require-confirmed-email.ts'

type BackupCodeDeps = Pick<AuthDeps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>
type Client = Pick<ClientInfo, 'ip' | 'userAgent'>

const purpose = 'backup-code'
const codesPerSet = 10
/** 32 characters without look-alikes: 5 bits each, 50 bits per code. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 5

/**
 * Creates ten backup codes and revokes the previous ones. The response is the only time they are shown.
 * @throws AppError mfa_setup_required for an account without a second factor
 */
export async function createBackupCodes(
  deps: BackupCodeDeps,
  who: Principal,
  client: Client,
): Promise<{ codes: string[] }> {
  requireConfirmedEmail(who)
  const codes = Array.from({ length: codesPerSet }, newCode)
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    await lockUser(tx, who.userId)
    if (!(await hasVerifiedFactor(tx, who.userId))) {
      throw new AppError('mfa_setup_required', {
        message: 'Backup codes replace a lost second factor. Set up two-step verification first.',
      })
    }
    await tx.delete(backupCodes).where(eq(backupCodes.userId, who.userId))
    await tx.insert(backupCodes).values(
      codes.map((code) => ({
        userId: who.userId,
        codeHash: hashCode(deps.secrets, who.userId, code),
        createdAt: now,
      })),
    )
    const change = { userId: who.userId, email: who.email, client, now }
    await notifySecurityChange(tx, deps, { event: 'backup_codes_created', ...change })
  })
  return { codes }
}

/**
 * Verifies a backup code and upgrades the session to aal2.
 * @throws AppError invalid_backup_code, over_request_rate_limit
 */
export async function verifyBackupCode(
  deps: BackupCodeDeps & Pick<AuthDeps, 'onSignedIn'>,
  who: Principal,
  code: string,
  client: Client,
) {
  const outcome = await deps.database.db.transaction(async (tx) => {
    await lockUser(tx, who.userId)
    const now = deps.clock()
    const entry = { userId: who.userId, email: who.email, client, now }
    const failures = await failedMfaCodes(tx, { who, client, method: 'backup', now })
    if (await failures.isLocked()) return new AppError('over_request_rate_limit')
    if (!(await consumeCode(tx, hashesOf(deps.secrets, who.userId, code), who.userId, now))) {
      await failures.add()
      await recordSecurityEvent(tx, { event: 'second_factor_failed', ...entry, note: 'backup code' })
      return new AppError('invalid_backup_code')
    }
    await failures.clear()
    const opened = await upgradeSession(tx, who, { method: backupCodeMethod, factorId: null, client, now })
    if (opened instanceof AppError) throw opened
    await notifySecurityChange(tx, deps, { event: 'backup_code_used', ...entry })
    return { opened, left: await countRemaining(tx, who.userId) }
  })
  if (outcome instanceof AppError) throw outcome
  const { access_token, refresh_token } = await answerSignIn(deps, outcome.opened)
  return { session: { access_token, refresh_token }, left: outcome.left }
}

/** @returns false if the code is wrong or was used */
async function consumeCode(tx: Tx, codeHashes: string[], userId: string, now: Date): Promise<boolean> {
  const consumed = await tx
    .update(backupCodes)
    .set({ usedAt: now })
    .where(and(eq(backupCodes.userId, userId), inArray(backupCodes.codeHash, codeHashes), isNull(backupCodes.usedAt)))
    .returning({ id: backupCodes.id })
  return consumed.length > 0
}

async function countRemaining(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .select({ left: count() })
    .from(backupCodes)
    .where(and(eq(backupCodes.userId, userId), isNull(backupCodes.usedAt)))
  return row?.left ?? 0
}

function newCode(): string {
  const characters = [...randomBytes(2 * groupLength)].map((byte) => alphabet[byte % alphabet.length])
  return `${characters.slice(0, groupLength).join('')}-${characters.slice(groupLength).join('')}`
}

/** Ignores case, spaces and the dash, and reads I, L and O as digits. */
const normalizeCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')

/** HMAC with SECRET_KEY, bound to the account. */
const hashCode = (secrets: SecretBox, userId: string, code: string) => secrets.sign(purpose, signedText(userId, code))

/** Compares with hashes by former secret keys too, so that codes survive a change of SECRET_KEY. */
const hashesOf = (secrets: SecretBox, userId: string, code: string) =>
  secrets.signatures(purpose, signedText(userId, code))

const signedText = (userId: string, code: string) => `${userId}\n${normalizeCode(code)}`
