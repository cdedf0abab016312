import { parentPort, workerData } from 'node:worker_threads'
import { readFileText } from './read-file-text.ts'

// Runs in a thread of its own; see guide-files.ts.
parentPort?.postMessage(await readFileText(workerData as Uint8Array))
