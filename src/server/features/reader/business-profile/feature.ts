import { personRow, personRows } from '#server/db/person-rows.ts'
import { businessLocation, businessProfile, promptAnswer } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/business-profile.ts'
import { readBusinessProfile } from './read-business-profile.ts'
import {
  deleteBusinessProfile,
  deleteLocation,
  rememberAnswers,
  saveBusinessProfile,
  saveLocation,
} from './save-business-profile.ts'

const exportedData: PersonReaders = {
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

const businessProfileCalls = (deps: Deps): Implementation[] => [
  implement(contracts.businessProfileCall, (_input, who) => readBusinessProfile(deps, who)),
  implement(contracts.saveBusinessProfileCall, (input, who) => saveBusinessProfile(deps, who.userId, input)),
  implement(contracts.saveLocationCall, (input, who) => saveLocation(deps, who.userId, input)),
  implement(contracts.deleteLocationCall, ({ id }, who) => deleteLocation(deps, who.userId, id)),
  implement(contracts.rememberAnswersCall, (input, who) => rememberAnswers(deps, who.userId, input)),
]

export const businessProfileFeature: Feature = {
  calls: businessProfileCalls,
  onProfileReset: deleteBusinessProfile,
  exportedData,
}
