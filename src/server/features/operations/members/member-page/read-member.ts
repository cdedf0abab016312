import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { readAccessFacts } from '#server/features/billing/subscriptions/access.ts'
import { planNameOf, planOfProduct, productsOf } from '#server/features/billing/subscriptions/plan-ids.ts'
import { readTeam } from '#server/features/billing/teams/read-team.ts'
import { findSeat } from '#server/features/billing/teams/team-queries.ts'
import { listLocations } from '#server/features/reader/business-profile/read-business-profile.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { toStored } from '#shared/contracts/reader/preferences.ts'
import { AppError } from '#shared/errors.ts'
import { describeAccess } from './describe-access.ts'

type Row = { email: string; name: string | null; created_at: string; last_seen_at: string | null }

/** Reads the top of a member's page. @throws AppError not_found */
export async function readMember(deps: Deps, userId: string): Promise<Member> {
  const { db } = deps.database
  const [[user], facts, answers, locations, seat] = await Promise.all([
    queryRows<Row>(
      db,
      sql`select coalesce(u.email, '') as email, u.created_at,
          nullif(trim(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name')), '') as name,
          greatest(u.last_sign_in_at, (select max(greatest(s.updated_at, s.refreshed_at at time zone 'utc'))
            from auth.sessions s where s.user_id = u.id)) as last_seen_at
        from auth.users u where u.id = ${userId}::uuid and u.deleted_at is null`,
    ),
    readAccessFacts(db, userId),
    findPreferences(db, userId),
    listLocations(db, userId),
    findSeat(db, userId),
  ])
  if (!user) throw new AppError('not_found')
  const { owned } = await readTeam(deps, { userId, ...facts })
  const products = productsOf(deps.config)
  const productId = facts.subscription?.productId ?? null
  const access = describeAccess(facts, {
    planName: planNameOf(deps.config, productId),
    ownerEmail: seat?.ownerEmail ?? null,
    products,
    now: deps.clock(),
  })
  return {
    id: userId,
    name: user.name,
    email: user.email,
    joinedAt: new Date(user.created_at).toISOString(),
    lastSeenAt: user.last_seen_at ? new Date(user.last_seen_at).toISOString() : null,
    answers: answers && toStored(answers),
    locations: { total: locations.length, shared: locations.filter(({ shared }) => shared).length },
    plan: planOfProduct(deps.config, productId) ?? null,
    access: access.sentence,
    hasAccess: access.hasAccess,
    renewsAt: access.renewsAt?.toISOString() ?? null,
    team: owned && {
      ...owned,
      invitations: owned.invitations.map(({ id, email, expiresAt, expired }) => ({ id, email, expiresAt, expired })),
    },
    memberOf: seat && {
      ownerId: seat.ownerId,
      ownerEmail: seat.ownerEmail,
      joinedAt: seat.joinedAt.toISOString(),
    },
  }
}
