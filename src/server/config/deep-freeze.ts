/** Freezes an object with the plain objects and lists in it. */
export function deepFreeze<T>(value: T): T {
  const isPlain = Array.isArray(value) || (value !== null && Object.getPrototypeOf(Object(value)) === Object.prototype)
  if (!isPlain || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const each of Object.values(value as object)) deepFreeze(each)
  return value
}
