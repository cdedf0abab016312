declare module 'virtual:landing-samples' {
  const samples: import('#client/features/landing/landing-samples.types.ts').LandingSamples
  export default samples
}
