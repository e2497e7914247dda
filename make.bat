@echo off
rem The tasks are in tools\dev.py; the Makefile calls the same file.
setlocal
cd /d "%~dp0"
where py >nul 2>nul
if %errorlevel%==0 (
  py -3 tools\dev.py %*
) else (
  python tools\dev.py %*
)
exit /b %errorlevel%
