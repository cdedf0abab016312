/** What the screen showed on pages of the portal, to paint on the next visit until the app is ready (decision 95). */
export type PageSnapshots = {
  userId: string
  /** Release of the app that rendered them (`currentRelease`), whose styles they need. */
  release: string
  /** The highest time that the device's clock has shown. */
  latestSeen: number
  /** By path. `checkedAt`: when the server last answered for this page. */
  pages: Record<string, { checkedAt: number; html: string }>
}

/** In local storage, because the document's first script reads it before anything is painted. */
export const snapshotsKey = 'front-counter:snapshots'
