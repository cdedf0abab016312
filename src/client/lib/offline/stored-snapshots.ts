import { type PageSnapshots, snapshotsKey } from '../page-snapshots.ts'

export function readSnapshots(): PageSnapshots | null {
  try {
    return JSON.parse(localStorage.getItem(snapshotsKey) ?? 'null') as PageSnapshots | null
  } catch {
    return null
  }
}

/** Expired ones are removed by the document's first script. */
export function removeSnapshots() {
  try {
    localStorage.removeItem(snapshotsKey)
  } catch {
    // Storage is blocked.
  }
}
