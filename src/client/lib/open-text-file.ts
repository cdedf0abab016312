import { openTextFileCall } from '#shared/contracts/library/library.ts'
import { invoke } from './calls.ts'
import { errorMessage, isTransient } from './error-message.ts'
import { toast } from './toast.ts'

/** Downloads a file of a text, or plays its sound, with an address for this reader. Open texts work without one. */
export async function openTextFile(file: string | HTMLAudioElement): Promise<void> {
  const path = typeof file === 'string' ? file : (file.getAttribute('src') ?? '')
  if (typeof file !== 'string') file.pause()
  try {
    const address = await addressOf(path)
    if (typeof file === 'string') return location.assign(address)
    file.src = address
    await file.play()
  } catch (error) {
    toast.error('The file can’t be opened', { id: 'text-file', description: errorMessage(error) })
  }
}

const addressOf = (path: string): Promise<string> =>
  invoke(openTextFileCall, { path }).then(
    ({ url }) => url,
    (error: unknown) => (isTransient(error) ? Promise.reject(error) : `${path}?open`),
  )
