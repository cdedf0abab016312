let running = 0

/** Loads code that the page can do without: if it is missing, the page isn't reloaded for it. */
export async function importInBackground<T>(load: () => Promise<T>): Promise<T> {
  running += 1
  try {
    return await load()
  } finally {
    running -= 1
  }
}

export const isImportingInBackground = () => running > 0
