import found from 'virtual:landing-samples'
import type { LandingSamples } from './landing-samples.types.ts'

export const samples: LandingSamples = found
