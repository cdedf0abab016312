/** Wakes whoever waits, once for any number of raises. */
export type Signal = { raise(): void; wait(atMostMs: number): Promise<void> }

export function createSignal(): Signal {
  let raised = false
  let wake = () => {}
  return {
    raise() {
      raised = true
      wake()
    },
    wait(atMostMs) {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          raised = false
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(end, atMostMs)
        wake = end
        if (raised) end()
      })
    },
  }
}

export const untilMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
