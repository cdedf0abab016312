import { z } from 'zod'

const firstDay = '1900-01-01'
const lastDay = '2199-12-31'

/**
 * A day to filter by. Days outside these centuries become the first or last one, which finds the same: PostgreSQL has no
 * year 0, and a date input reports the year 2 while someone types 2026.
 */
export const calendarDaySchema = z.iso
  .date()
  .transform((day) => (day < firstDay ? firstDay : day > lastDay ? lastDay : day))
