import { expect, test } from 'vitest'
import { fftOfSize } from './fft.ts'

test('a transform agrees with the sum that defines it', () => {
  const size = 16
  const signal = Array.from({ length: size }, (_, n) => Math.sin(n * n) + n / 7)
  const real = Float64Array.from(signal)
  const imaginary = new Float64Array(size)
  fftOfSize(size)(real, imaginary)

  for (let k = 0; k < size; k++) {
    const angle = (n: number) => (-2 * Math.PI * k * n) / size
    const sum = (part: (angle: number) => number) =>
      signal.reduce((total, x, n) => total + x * part(angle(n)), 0)
    expect(real[k]).toBeCloseTo(sum(Math.cos), 10)
    expect(imaginary[k]).toBeCloseTo(sum(Math.sin), 10)
  }
})
