import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/assignments.ts'
import {
  assign,
  assignToSeveral,
  checkOff,
  collectForTeam,
  editAssignment,
  moveToNewOwner,
  removeAssignment,
  tieSeat,
} from './change-assignments.ts'
import { exportedData } from './exported-data.ts'
import { assignedEmailJob, type EmailingDeps } from './notify-assignees.ts'
import { readTeamAssignments } from './read-assignments.ts'

/** Assignments and the collection of a team. */
const assignmentsCalls = (deps: EmailingDeps): Implementation[] => [
  implement(contracts.teamAssignmentsCall, async (_input, who) => ({ team: await readTeamAssignments(deps, who) })),
  implement(contracts.assignCall, (input, who) => assign(deps, who, input)),
  implement(contracts.assignToSeveralCall, (input, who) => assignToSeveral(deps, who, input)),
  implement(contracts.checkOffCall, (input, who) => checkOff(deps, who, input)),
  implement(contracts.editAssignmentCall, (input, who) => editAssignment(deps, who, input)),
  implement(contracts.removeAssignmentCall, (input, who) => removeAssignment(deps, who, input)),
  implement(contracts.tieSeatCall, (input, who) => tieSeat(deps, who, input)),
  implement(contracts.teamCollectCall, (input, who) => collectForTeam(deps, who, input)),
]

export const assignmentsFeature: Feature = {
  calls: assignmentsCalls,
  enqueuedEarly: [assignedEmailJob],
  onTeamTransferred: moveToNewOwner,
  exportedData,
}
