import { personRow, personRows } from '#server/db/person-rows.ts'
import { businessLocation, businessProfile, promptAnswer } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  businessProfile: async (tx, userId) => ({
    profile: await personRow(tx, businessProfile, ['values', 'updatedAt'], userId),
    locations: await personRows(
      tx,
      businessLocation,
      { columns: ['name', 'values', 'shared as sharedWithTeam', 'createdAt', 'updatedAt'], order: ['createdAt', 'id'] },
      userId,
    ),
    answers: await personRows(
      tx,
      promptAnswer,
      { columns: ['promptId as prompt', 'blank', 'answer', 'answeredAt'], order: ['promptId', 'blank'] },
      userId,
    ),
  }),
}
