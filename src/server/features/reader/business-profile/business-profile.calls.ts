import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  businessProfileCall,
  deleteLocationCall,
  rememberAnswersCall,
  saveBusinessProfileCall,
  saveLocationCall,
} from '#shared/contracts/reader/business-profile.ts'
import { readBusinessProfile } from './read-business-profile.ts'
import { rememberAnswers } from './remember-answers.ts'
import { deleteLocation, saveBusinessProfile, saveLocation } from './save-business-profile.ts'

export const businessProfileCalls = (deps: Deps): Implementation[] => [
  implement(businessProfileCall, (_input, who) => readBusinessProfile(deps, who)),
  implement(saveBusinessProfileCall, (input, who) => saveBusinessProfile(deps, who.userId, input)),
  implement(saveLocationCall, (input, who) => saveLocation(deps, who.userId, input)),
  implement(deleteLocationCall, ({ id }, who) => deleteLocation(deps, who.userId, id)),
  implement(rememberAnswersCall, (input, who) => rememberAnswers(deps, who.userId, input)),
]
