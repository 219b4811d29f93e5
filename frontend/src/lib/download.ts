export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // the browser needs the URL until the download has begun
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
