import type { Feature } from '#server/feature.ts'
import { assignmentsCalls } from './assignments.calls.ts'
import { moveToNewOwner } from './change-assignments.ts'
import { exportedData } from './exported-data.ts'
import { assignedEmailJob } from './notify-assignees.ts'

export const assignmentsFeature: Feature = {
  calls: assignmentsCalls,
  enqueuedEarly: [assignedEmailJob],
  onTeamTransferred: moveToNewOwner,
  exportedData,
}
