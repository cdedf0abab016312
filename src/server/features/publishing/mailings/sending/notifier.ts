/** Wakes a waiting loop. Several notifications before the next wait count as one. */
export type Notifier = { notify(): void; wait(atMostMs: number): Promise<void> }

export function createNotifier(): Notifier {
  let notified = false
  let wake = () => {}
  return {
    notify() {
      notified = true
      wake()
    },
    wait(atMostMs) {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          notified = false
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(end, atMostMs)
        wake = end
        if (notified) end()
      })
    },
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
