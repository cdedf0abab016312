import { and, desc, eq, sql } from 'drizzle-orm'
import { auditLogEntries, mfaAmrClaims, mfaFactors, sessions, webauthnCredentials } from '#server/db/schema/index.ts'
import type { AuditPayload } from '#server/features/identity/auth/security/security-event.ts'
import { amrClaimStatement } from '#server/features/identity/auth/security/step-up.ts'
import { createSession } from '#server/features/identity/auth/sessions/create-session.ts'
import type { SecurityEvent } from '#shared/domain/security-events.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export const minuteMs = 60_000
export const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'

/** Makes a product call with the given user agent. */
export async function callFrom(server: TestApp, userAgent: string, name: string, body: unknown, token?: string) {
  const answer = await server.app.request(`/functions/v1/${name}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Moves the session's authentication methods into the past, without moving the clock. */
export async function ageAuthentication(
  server: TestApp,
  { sessionId }: Pick<TestUser, 'sessionId'>,
  ms = 60 * minuteMs,
) {
  const at = new Date(server.clock.now.getTime() - ms)
  await server.database.db
    .update(mfaAmrClaims)
    .set({ createdAt: at, updatedAt: at })
    .where(eq(mfaAmrClaims.sessionId, sessionId))
}

/** Adds a verified factor, as if set up in another session. */
export async function addFactor(server: TestApp, { id }: Pick<TestUser, 'id'>) {
  const now = server.clock.now
  const factorId = crypto.randomUUID()
  await server.database.db.insert(mfaFactors).values({
    id: factorId,
    userId: id,
    factorType: 'totp',
    status: 'verified',
    friendlyName: 'Phone',
    secret: 'sealed-secret-of-the-factor',
    createdAt: now,
    updatedAt: now,
  })
  return factorId
}

export async function addPasskey(server: TestApp, { id }: Pick<TestUser, 'id'>) {
  await server.database.db.insert(webauthnCredentials).values({
    userId: id,
    credentialId: new TextEncoder().encode(`credential of ${id}`),
    publicKey: new TextEncoder().encode('public-key-of-the-passkey'),
    friendlyName: 'Laptop',
  })
}

/** Adds an authentication method to the session, as if it had just passed a factor or a passkey. */
export const addAuthMethod = (server: TestApp, { sessionId }: Pick<TestUser, 'sessionId'>, method: string) =>
  server.database.db.execute(amrClaimStatement(sessionId, method, server.clock.now))

export const awaitSecondFactor = (server: TestApp, { sessionId }: Pick<TestUser, 'sessionId'>) =>
  server.database.db.update(sessions).set({ awaitsSecondFactor: true }).where(eq(sessions.id, sessionId))

/** Opens another session of the user, as from another device. */
export const openOtherSession = (
  server: TestApp,
  { id }: Pick<TestUser, 'id'>,
  userAgent = firefox,
  ip = '203.0.113.7',
) =>
  server.database.db.transaction((tx) =>
    createSession(tx, { userId: id, method: 'password', client: { ip, userAgent }, now: server.clock.now }),
  )

/** Staff log entries of one event, newest first. */
export async function auditEntries(server: TestApp, event: SecurityEvent, userId?: string) {
  const rows = await server.database.db
    .select()
    .from(auditLogEntries)
    .where(
      and(
        sql`${auditLogEntries.payload} ->> 'action' = ${event}`,
        userId ? sql`${auditLogEntries.payload} ->> 'user_id' = ${userId}` : undefined,
      ),
    )
    .orderBy(desc(auditLogEntries.createdAt))
  return rows.map(({ payload, ipAddress, createdAt }) => ({
    ...(payload as AuditPayload),
    ip: ipAddress,
    at: createdAt,
  }))
}
