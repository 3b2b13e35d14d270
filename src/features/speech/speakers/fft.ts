/**
 * Fourier transforms of one fixed size (a power of two), in place, radix 2 after Cooley and Tukey
 * (1965). The factors are worked out once, so that an hour of speech allocates nothing.
 *
 * Here and in the other number crunching of this room, `?? 0` after a read only tells the compiler
 * that the index lies inside the array.
 */
export function fftOfSize(size: number): (real: Float64Array, imaginary: Float64Array) => void {
  const reversed = bitReversal(size)
  const angle = (k: number) => (-2 * Math.PI * k) / size
  const cosines = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos(angle(k)))
  const sines = Float64Array.from({ length: size / 2 }, (_, k) => Math.sin(angle(k)))

  return (real, imaginary) => {
    permute(real, reversed)
    permute(imaginary, reversed)
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half)
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const cosine = cosines[k * stride] ?? 0
          const sine = sines[k * stride] ?? 0
          const upper = start + k
          const lower = upper + half
          const lowerReal = real[lower] ?? 0
          const lowerImaginary = imaginary[lower] ?? 0
          const turnedReal = lowerReal * cosine - lowerImaginary * sine
          const turnedImaginary = lowerReal * sine + lowerImaginary * cosine
          const upperReal = real[upper] ?? 0
          const upperImaginary = imaginary[upper] ?? 0
          real[upper] = upperReal + turnedReal
          imaginary[upper] = upperImaginary + turnedImaginary
          real[lower] = upperReal - turnedReal
          imaginary[lower] = upperImaginary - turnedImaginary
        }
      }
    }
  }
}

function permute(values: Float64Array, order: Uint32Array): void {
  for (let i = 0; i < order.length; i++) {
    const j = order[i] ?? 0
    if (j <= i) continue
    const swapped = values[i] ?? 0
    values[i] = values[j] ?? 0
    values[j] = swapped
  }
}

function bitReversal(size: number): Uint32Array {
  const reversed = new Uint32Array(size)
  for (let i = 1; i < size; i++)
    reversed[i] = ((reversed[i >> 1] ?? 0) >> 1) | (i & 1 ? size >> 1 : 0)
  return reversed
}
