<#
.SYNOPSIS
  Installs the Drawbridge agent @VERSION@ on Windows. Neither administrator's rights nor a network are needed.
.EXAMPLE
  .\install.ps1
.EXAMPLE
  .\install.ps1 -Prefix 'C:\Program Files\Drawbridge' -From '\\server\share\drawbridge'
#>
param(
  # Where to install: bin\drawbridge.exe below it.
  [string]$Prefix = (Join-Path $env:LOCALAPPDATA 'Drawbridge'),
  # A folder with the release, or an https address.
  [string]$From = $PSScriptRoot,
  # Removes what was installed; the agent's home folder stays.
  [switch]$Uninstall
)
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version Latest

$version = '@VERSION@'
$publicKey = @'
@PUBLIC_KEY@
'@
$executable = 'drawbridge-windows-x64.exe'
$bin = Join-Path $Prefix 'bin'
$share = Join-Path $Prefix 'share\drawbridge'
$installed = Join-Path $bin 'drawbridge.exe'

if ($Uninstall) {
  foreach ($name in 'drawbridge.exe', 'drawbridge.exe.old', 'drawbridge.exe.new', 'drawbridge.exe.upgrade.json') {
    Remove-Item -Force -ErrorAction SilentlyContinue (Join-Path $bin $name)
  }
  Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $share
  Write-Output "Removed from $Prefix. The agent's home folder was left."
  exit 0
}
if (Test-Path $installed) { throw "$installed is there already: drawbridge upgrade --file FOLDER" }

$work = Join-Path ([IO.Path]::GetTempPath()) ([guid]::NewGuid())
New-Item -ItemType Directory $work | Out-Null
try {
  foreach ($file in 'SHA256SUMS', 'SHA256SUMS.sig', 'manifest.json', 'manifest.json.sig', $executable) {
    $target = Join-Path $work $file
    if ($From -match '^https://') { Invoke-WebRequest -UseBasicParsing "$From/$file" -OutFile $target }
    elseif ($From -match '^http://') { throw 'An address begins with https://.' }
    else { Copy-Item (Join-Path $From $file) $target }
  }
  $sums = Join-Path $work 'SHA256SUMS'
  # .NET has no Ed25519: openssl checks the signature where it is installed, and the agent itself below.
  if (Get-Command openssl -ErrorAction SilentlyContinue) {
    $key = Join-Path $work 'key.pem'
    Set-Content -Encoding ascii $key $publicKey
    & openssl pkeyutl -verify -pubin -inkey $key -rawin -in $sums -sigfile "$sums.sig" | Out-Null
    if ($LASTEXITCODE -ne 0) { throw 'SHA256SUMS is not signed with the key of this release.' }
  }
  else { Write-Warning 'openssl is not installed: the hashes are checked, but not who made them.' }
  foreach ($file in 'manifest.json', 'manifest.json.sig', $executable) {
    $hash = (Get-FileHash -Algorithm SHA256 (Join-Path $work $file)).Hash.ToLowerInvariant()
    if ((Get-Content $sums) -cnotcontains "$hash  $file") { throw "$file is not what was released." }
  }
  New-Item -ItemType Directory -Force $bin, $share | Out-Null
  Copy-Item (Join-Path $work 'manifest.json') (Join-Path $share "manifest-$version.json")
  Copy-Item (Join-Path $work 'manifest.json.sig') (Join-Path $share "manifest-$version.json.sig")
  $new = "$installed.new"
  Copy-Item (Join-Path $work $executable) $new
  Rename-Item $new $installed
  & $installed verify
  if ($LASTEXITCODE -ne 0) {
    Remove-Item -Force $installed
    throw 'The agent does not verify itself.'
  }
  Write-Output "Installed $installed $version. Next: & '$installed' enroll --help"
}
finally {
  Remove-Item -Recurse -Force $work
}
