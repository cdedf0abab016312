import { callQuery, fieldQuery } from '#client/lib/calls.ts'
import { glossaryCall, methodCall, safetyCall, startHereCall } from '#shared/contracts/publishing/content-pages.ts'

export const glossaryQuery = callQuery(['glossary'], glossaryCall, {})

export const safetyQuery = fieldQuery(['safety'], safetyCall, {}, 'safety')

export const startHereQuery = fieldQuery(['start-here'], startHereCall, {}, 'startHere')

export const methodQuery = fieldQuery(['method'], methodCall, {}, 'method')
