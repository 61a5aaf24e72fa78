# Rules for cmake --install and for packages: cpack in the build folder makes a .deb package. dpkg-shlibdeps finds its
# dependencies.
include(GNUInstallDirs)
install(TARGETS gemmscope)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/recordings DESTINATION ${CMAKE_INSTALL_DATADIR}/gemmscope)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/gemmscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/gemmscope.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/gemmscope.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gemmscope)
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/gemmscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gemmscope)
set(CPACK_PACKAGE_CONTACT "The gemmscope developers <gemmscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see what CUDA matrix-multiplication kernels really do")
set(CPACK_PACKAGE_DESCRIPTION "Runs a ladder of CUDA matrix-multiplication kernels, times them beside cuBLAS, records each access
to memory and shows it. Without an NVIDIA GPU the kernels run on the CPU.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries that dpkg-shlibdeps does not find because they are loaded at run time: libepoxy and GLFW load OpenGL.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libopenblas0, nvidia-driver, cuda-toolkit, openssh-client")
include(CPack)
