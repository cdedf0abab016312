import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/publishing/recordings.ts'
import { readPlayable, readPodcast, saveListening } from './listening.ts'
import { recordingsRoutes } from './recordings.routes.ts'
import { changeRecording, deleteUnusedRecordings, readRecording, uploadPiece } from './recordings.ts'

const recordingsCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminRecordingCall, ({ issueId }) => readRecording(deps, issueId)),
  implement(contracts.adminUploadRecordingCall, async (piece, who, request) =>
    uploadPiece(deps, who, piece, await request.readFile()),
  ),
  implement(contracts.adminChangeRecordingCall, (change, who) => changeRecording(deps, who, change)),
  implement(contracts.recordingCall, ({ issueId }, { userId }) => readPlayable(deps, userId, issueId)),
  implement(contracts.saveListeningCall, (input, { userId }) => saveListening(deps, userId, input)),
  implement(contracts.podcastCall, (_input, { userId }) => readPodcast(deps, userId)),
]

export const recordingsFeature: Feature = {
  calls: recordingsCalls,
  routes: (deps) => [recordingsRoutes(deps)],
  jobs: (deps) =>
    scheduledJobs({ 'delete-unused-recordings': { cron: '27 * * * *', run: () => deleteUnusedRecordings(deps) } }),
}
