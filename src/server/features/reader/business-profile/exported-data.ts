import { asc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { businessLocation, businessProfile, promptAnswer } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  businessProfile: {
    tables: ['public.business_profile', 'public.business_location', 'public.prompt_answer'],
    read: readBusinessProfile,
  },
}

async function readBusinessProfile(tx: Tx, userId: string) {
  const profile = await firstOrNull(
    tx
      .select({ values: businessProfile.values, updatedAt: businessProfile.updatedAt })
      .from(businessProfile)
      .where(eq(businessProfile.userId, userId)),
  )
  const locations = await tx
    .select({
      name: businessLocation.name,
      values: businessLocation.values,
      sharedWithTeam: businessLocation.shared,
      createdAt: businessLocation.createdAt,
      updatedAt: businessLocation.updatedAt,
    })
    .from(businessLocation)
    .where(eq(businessLocation.userId, userId))
    .orderBy(asc(businessLocation.createdAt), asc(businessLocation.id))
  const answers = await tx
    .select({
      prompt: promptAnswer.promptId,
      blank: promptAnswer.blank,
      answer: promptAnswer.answer,
      answeredAt: promptAnswer.answeredAt,
    })
    .from(promptAnswer)
    .where(eq(promptAnswer.userId, userId))
    .orderBy(asc(promptAnswer.promptId), asc(promptAnswer.blank))
  return { profile, locations, answers }
}
