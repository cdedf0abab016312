import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { staffInvitations, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { adminStaffCall } from '#shared/contracts/identity/staff.ts'
import { parseStoredRole, staffRoles } from '#shared/domain/staff-roles.ts'

type ListDeps = Pick<Deps, 'config' | 'database' | 'clock'>

const rowSchema = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.string(),
  isSuspended: z.boolean(),
  isDisabled: z.boolean(),
  lastSeenAt: z.coerce.date().nullable(),
  hasSecondFactor: z.boolean(),
})

const statement = `select u.id as "userId", coalesce(u.email, '') as email,
    coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name') as name,
    staff.role, staff.is_suspended as "isSuspended",
    coalesce(u.banned_until > $1::timestamptz, false) as "isDisabled",
    greatest(u.last_sign_in_at, (
      select max(greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'utc'))
      from auth.sessions s where s.user_id = u.id)) as "lastSeenAt",
    exists (select 1 from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
      or exists (select 1 from auth.webauthn_credentials w where w.user_id = u.id) as "hasSecondFactor"
  from (select user_id, role, false as is_suspended from user_roles
      union all select user_id, role, true from suspended_staff) staff
    join auth.users u on u.id = staff.user_id
  where u.deleted_at is null
  order by u.email, u.id`

/** The staff and open invitations. Both are short. */
export async function listStaff({ config, database, clock }: ListDeps): Promise<z.input<typeof adminStaffCall.output>> {
  const now = clock()
  const rows = await database.prepared('staff', statement, [now.toISOString()])
  const items = z
    .array(rowSchema)
    .parse(rows)
    .flatMap(({ role: stored, isSuspended, isDisabled, lastSeenAt, ...person }) => {
      const role = parseStoredRole(stored)
      if (!role) return []
      const status = isDisabled ? 'disabled' : isSuspended ? 'suspended' : 'active'
      return {
        ...person,
        name: person.name?.trim() || null,
        role,
        status: status as 'active' | 'suspended' | 'disabled',
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
        isInAdminEmails: config.adminEmails.includes(person.email),
      }
    })
  return {
    items: items.toSorted((a, b) => staffRoles.indexOf(a.role) - staffRoles.indexOf(b.role)),
    invitations: await listInvitations(database.db, now),
    requiresSecondFactor: config.auth.requireAdminMfa,
  }
}

async function listInvitations(db: Deps['database']['db'], now: Date) {
  const rows = await db
    .select({ invitation: staffInvitations, invitedBy: users.email })
    .from(staffInvitations)
    .innerJoin(users, eq(users.id, staffInvitations.invitedById))
    .orderBy(asc(staffInvitations.email))
  return rows.map(({ invitation: { id, email, role, sentAt, expiresAt }, invitedBy }) => ({
    id,
    email,
    role: parseStoredRole(role) ?? ('viewer' as const),
    invitedBy: invitedBy ?? '',
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= now,
  }))
}
