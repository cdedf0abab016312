import { and, asc, eq, isNotNull, ne, or } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { businessLocation, businessProfile, promptAnswer, teamSeat, teamSeatLocation } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasTeamAccess } from '#server/features/billing/teams/team-queries.ts'
import type { Principal } from '#server/http/principal.ts'
import type { BusinessLocation, BusinessProfile } from '#shared/contracts/reader/business-profile.ts'
import { locationVariables, profileVariables, type Values } from '#shared/domain/business-profile.ts'

type LocationRow = typeof businessLocation.$inferSelect

export async function readBusinessProfile(deps: Deps, who: Principal): Promise<BusinessProfile> {
  const { db } = deps.database
  const [values, own, shared, answers] = await Promise.all([
    readProfileValues(db, who.userId),
    listLocations(db, who.userId),
    hasTeamAccess(deps, who) ? listSharedLocations(db, who.userId) : [],
    readAnswers(db, who.userId),
  ])
  return {
    values,
    locations: [...own.map((row) => asLocation(row, true)), ...shared.map((row) => asLocation(row, false))],
    answers,
  }
}

export async function readProfileValues(db: Db | Tx, userId: string) {
  const [row] = await db
    .select({ values: businessProfile.values })
    .from(businessProfile)
    .where(eq(businessProfile.userId, userId))
  return pickKnown(row?.values ?? {}, profileVariables)
}

/** In the order in which they were added. */
export const listLocations = (db: Db | Tx, userId: string): Promise<LocationRow[]> =>
  db
    .select()
    .from(businessLocation)
    .where(eq(businessLocation.userId, userId))
    .orderBy(asc(businessLocation.createdAt), asc(businessLocation.id))

/** Reads what the owner of the caller's team shares, and the locations that the caller's seat is tied to. */
async function listSharedLocations(db: Db, memberId: string): Promise<LocationRow[]> {
  const rows = await db
    .select({ location: businessLocation })
    .from(teamSeat)
    .innerJoin(businessLocation, eq(businessLocation.userId, teamSeat.ownerId))
    .leftJoin(
      teamSeatLocation,
      and(eq(teamSeatLocation.userId, teamSeat.userId), eq(teamSeatLocation.locationId, businessLocation.id)),
    )
    .where(
      and(eq(teamSeat.userId, memberId), or(eq(businessLocation.shared, true), isNotNull(teamSeatLocation.userId))),
    )
    .orderBy(asc(businessLocation.createdAt), asc(businessLocation.id))
  return rows.map(({ location }) => location)
}

export const asLocation = ({ id, name, values, shared }: LocationRow, mine: boolean): BusinessLocation => ({
  id,
  name,
  values: pickKnown(values, locationVariables),
  shared,
  mine,
})

async function readAnswers(db: Db, userId: string): Promise<BusinessProfile['answers']> {
  const rows = await db
    .select({ promptId: promptAnswer.promptId, blank: promptAnswer.blank, answer: promptAnswer.answer })
    .from(promptAnswer)
    .where(and(eq(promptAnswer.userId, userId), ne(promptAnswer.answer, '')))
  const byPrompt = Map.groupBy(rows, ({ promptId }) => promptId)
  return Object.fromEntries(
    [...byPrompt].map(([promptId, answers]) => [
      promptId,
      Object.fromEntries(answers.map(({ blank, answer }) => [blank, answer])),
    ]),
  )
}

/** Leaves out variables that no longer belong to the profile. */
const pickKnown = <Name extends string>(values: Values, names: readonly Name[]): Values<Name> =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : []))) as Values<Name>
